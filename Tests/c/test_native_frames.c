/* Frames that machine code runs (internal/jit.h): when the interpreter enters machine code,
   and that nothing else shows. SPRINGBOARD_JIT=steps compiles every function to code that
   takes single steps and leaves now and then; the tests put counters in front of it. */
#include "suite.h"
#include "internal/jit.h"
#include "internal/pystate.h"
#include <stdlib.h>

#if defined(__has_feature)
#  if __has_feature(address_sanitizer)
#    define CALLS_ARE_JUMPS 0
#  endif
#endif
#if !defined(CALLS_ARE_JUMPS) && defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__)
#  define CALLS_ARE_JUMPS 1
#endif

static PyObject *globals;
static PyJitEntry real_entry;
static PyJitEntryAt real_entry_at;
static int entries, entries_at;
static uintptr_t lowest, highest;       /* where the C stack was */

static void
note_stack(void)
{
    uintptr_t here = (uintptr_t)__builtin_frame_address(0);
    lowest = here < lowest ? here : lowest;
    highest = here > highest ? here : highest;
}

static PyReg
counting_entry(PyVMFrame *f, PyThreadState *ts)
{
    entries++;
    note_stack();
    return real_entry(f, ts);
}

static PyReg
counting_entry_at(PyVMFrame *f, PyThreadState *ts, const void *place)
{
    entries_at++;
    note_stack();
    return real_entry_at(f, ts, place);
}

static void
execute(const char *statements)
{
    PyObject *result = PyRun_String(statements, Py_file_input, globals, globals);
    if (result == NULL) {
        PyErr_Print();
    }
    ck_assert_ptr_nonnull(result);
    Py_DECREF(result);
}

static long
evaluate(const char *expression)
{
    PyObject *result = PyRun_String(expression, Py_eval_input, globals, globals);
    if (result == NULL) {
        PyErr_Print();
    }
    ck_assert_ptr_nonnull(result);
    long value = PyLong_AsLong(result);
    Py_DECREF(result);
    return value;
}

static PyVMCode *
code_of(const char *name)
{
    PyObject *func = PyDict_GetItemString(globals, name);
    return _PyVMCode_CAST(((PyFunctionObject *)func)->func_code);
}

/* From now on counts how often the function, which has been called, is entered. */
static void
watch(const char *name)
{
    PyJitCode *jit = code_of(name)->jit;
    ck_assert_ptr_nonnull(jit);
    real_entry = jit->entry;
    real_entry_at = jit->entry_at;
    jit->entry = counting_entry;
    jit->entry_at = counting_entry_at;
    entries = entries_at = 0;
    lowest = UINTPTR_MAX;
    highest = 0;
}

static void
start(void)
{
    setenv("SPRINGBOARD_JIT", "steps", 1);
    Py_InitializeEx(0);
    globals = PyDict_New();
    PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
}

START_TEST(test_calls_from_c_and_from_python_enter)
{
    execute("def f(x): return x + 1\n"
            "def calls(): return [f(0), f(1), f(2)]\n"
            "f(0)\n");
    watch("f");
    ck_assert_int_eq(evaluate("sum(calls())"), 6);
    ck_assert_int_eq(entries, 3);
    ck_assert_int_eq(evaluate("sum(map(f, (1, 2, 3)))"), 9);
    ck_assert_int_eq(entries, 6);
}
END_TEST

START_TEST(test_methods_of_operators_and_classes_enter)
{
    execute("class A:\n"
            "    def f(self, other): return self\n"
            "    __add__ = __eq__ = __getitem__ = __call__ = f\n"
            "class B:\n"
            "    __init__ = lambda self, other: A.f(self, other) and None\n"
            "f = A.f\n"
            "def use(a): a + 1; a == 1; a[0]; a(1); B(1); return 0\n"
            "use(A())\n");
    watch("f");
    ck_assert_int_eq(evaluate("use(A())"), 0);
    ck_assert_int_eq(entries, 5);
}
END_TEST

START_TEST(test_generators_are_entered_behind_their_yield)
{
    execute("def f():\n"
            "    yield 1\n"
            "    yield 1 << 70\n"
            "    yield 3\n"
            "def use():\n"
            "    n = 0\n"
            "    for x in f(): n += x\n"
            "    return n - (1 << 70)\n"
            "use()\n");
    watch("f");
    ck_assert_int_eq(evaluate("use()"), 4);
    ck_assert_int_eq(entries, 1);
    ck_assert_int_eq(entries_at, 3);
    ck_assert_int_eq(evaluate("sum(f()) - (1 << 70)"), 4);
    ck_assert_int_eq(entries, 2);
    ck_assert_int_eq(entries_at, 6);
}
END_TEST

START_TEST(test_a_loop_is_entered_while_it_runs)
{
    execute("import sys\n"
            "def f(n):\n"
            "    for i in range(n):\n"
            "        if i == 5: sys.setprofile(None)\n"
            "    return i\n"
            "f(0 + 1)\n");
    watch("f");
    execute("sys.setprofile(lambda *args: None)\n"
            "f(10)\n");
    ck_assert_int_eq(entries, 0);
    ck_assert_int_ge(entries_at, 1);
}
END_TEST

START_TEST(test_what_is_observed_does_not_enter)
{
    execute("import sys\n"
            "def f(n):\n"
            "    for i in range(n): pass\n"
            "    return i\n"
            "f(1)\n"
            "def tracer(*args): return tracer\n");
    watch("f");
    execute("sys.setprofile(tracer)\n"
            "f(1000)\n"
            "sys.setprofile(None)\n"
            "sys.settrace(tracer)\n"
            "f(1000)\n"
            "sys.settrace(None)\n");
    ck_assert_int_eq(entries + entries_at, 0);
    ck_assert_int_eq(evaluate("f(2)"), 1);
    ck_assert_int_eq(entries, 1);
}
END_TEST

static PyObject *
hook(PyThreadState *ts, struct _PyInterpreterFrame *frame, int throwflag)
{
    return _PyEval_EvalFrameDefault(ts, frame, throwflag);
}

START_TEST(test_what_goes_through_an_eval_hook_does_not_enter)
{
    execute("def f(n):\n"
            "    for i in range(n): pass\n"
            "    return i\n"
            "def calls(): return f(1000)\n"
            "f(1)\n");
    watch("f");
    _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), hook);
    ck_assert_int_eq(evaluate("calls()"), 999);
    _PyInterpreterState_SetEvalFrameFunc(PyInterpreterState_Get(), NULL);
    ck_assert_int_eq(entries + entries_at, 0);
    ck_assert_int_eq(evaluate("calls()"), 999);
    ck_assert_int_eq(entries, 1);
}
END_TEST

START_TEST(test_frames_that_profilers_are_shown_enter)
{
    execute("import sys\n"
            "def f(n):\n"
            "    for i in range(n): pass\n"
            "    return i\n"
            "def calls(): return f(1000)\n"
            "def deep(n): return n and 1 + deep(n - 1)\n"
            "f(1); deep(1)\n");
    watch("f");
    execute(_i ? "sys.activate_stack_trampoline('perf', lines=True)"
               : "sys.activate_stack_trampoline('perf')");
    ck_assert_int_eq(evaluate("calls()"), 999);
    ck_assert_int_eq(entries, 1);
    ck_assert_int_ge(entries_at, 1);
    ck_assert_int_eq(evaluate("deep(900)"), 900);
    execute("sys.deactivate_stack_trampoline()");
    ck_assert_int_eq(evaluate("calls()"), 999);
    ck_assert_int_eq(entries, 2);
}
END_TEST

/* The newest record's address. */
static PyObject *
newest_record(PyObject *self, PyObject *ignored)
{
    (void)self;
    (void)ignored;
    return PyLong_FromVoidPtr(*_PyThreadState_IMPL(PyThreadState_Get())->records.slot);
}

START_TEST(test_a_shown_frame_that_enters_leaves_no_record)
{
    static PyMethodDef def = {"newest", newest_record, METH_NOARGS, NULL};
    PyObject *function = PyCFunction_New(&def, NULL);
    PyDict_SetItemString(globals, "newest", function);
    Py_DECREF(function);
    execute("import sys\n"
            "def f(n):\n"
            "    for i in range(n):\n"
            "        if i == 5: sys.setprofile(None)\n"
            "def records():\n"
            "    before = newest()\n"
            "    f(10)\n"
            "    return before - newest()\n"
            "def profiled(*args):\n"
            "    sys.setprofile(lambda *args: None)\n"
            "    return records()\n"
            "f(0); profiled()\n"
            "sys.activate_stack_trampoline('perf')\n");
    watch("f");
    ck_assert_int_eq(evaluate("profiled()"), 0);
    ck_assert_int_eq(entries, 0);
    ck_assert_int_ge(entries_at, 1);
    execute("sys.deactivate_stack_trampoline()");
}
END_TEST

START_TEST(test_a_deep_recursion_leaves_half_of_the_stack)
{
    execute("import sys\n"
            "sys.setrecursionlimit(10**6)\n"
            "def f(n): return n and 1 + f(n - 1)\n"
            "f(1)\n");
    watch("f");
    ck_assert_int_eq(evaluate("f(200000)"), 200000);
    ck_assert_int_gt(entries, 1000);
    _PyThreadStateImpl *impl = _PyThreadState_IMPL(PyThreadState_Get());
    ck_assert_uint_ge(lowest, impl->c_stack_middle - 4096);
    /* Back at the top, it is entered again. */
    entries = 0;
    ck_assert_int_eq(evaluate("f(9)"), 9);
    ck_assert_int_eq(entries, 10);
}
END_TEST

#ifdef CALLS_ARE_JUMPS
START_TEST(test_leaving_and_entering_again_takes_no_stack)
{
    execute("def f(n):\n"
            "    for i in range(n): pass\n"
            "    return i\n"
            "f(1)\n");
    watch("f");
    ck_assert_int_eq(evaluate("f(1000000)"), 999999);
    ck_assert_int_gt(entries_at, 1000);
    ck_assert_uint_lt(highest - lowest, 2048);
}
END_TEST
#endif

START_TEST(test_code_looks_as_if_it_had_not_run)
{
    execute("import marshal, dis, pickle, io\n"
            "source = '''\n"
            "def f(n, k=1):\n"
            "    for i in range(n): k += i\n"
            "    def g():\n"
            "        yield k\n"
            "    return sum(g())\n"
            "'''\n"
            "def looks(code):\n"
            "    out = io.StringIO()\n"
            "    dis.dis(code, file=out)\n"
            "    inner = [c for c in code.co_consts if hasattr(c, 'co_code')]\n"
            "    return [code.co_code, marshal.dumps(code), code.replace(co_name='x').co_code,\n"
            "            hash(code), *map(looks, inner)]\n"
            "namespace = {}\n"
            "exec(source, namespace)\n"
            "f = namespace['f']\n"
            "before = looks(f.__code__)\n"
            "f(300)\n"
            "same = before == looks(f.__code__)\n");
    PyVMCode *code = code_of("f");
    ck_assert_ptr_nonnull(code->jit);
    ck_assert_int_eq(evaluate("same"), 1);
    /* As if it had been called and not become warm. */
    PyInstr *resume = code->code;
    while (resume->op != OP_RESUME__NATIVE) {
        resume++;
    }
    resume->b = 77;
    ck_assert_int_eq(evaluate("before == looks(f.__code__)"), 1);
    execute("exec(source, namespace)");
    ck_assert_int_eq(evaluate("f.__code__ == namespace['f'].__code__"), 1);
}
END_TEST

START_TEST(test_code_that_loses_its_machine_code_goes_on)
{
    execute("def f(n):\n"
            "    for i in range(n): pass\n"
            "    return i\n"
            "f(9)\n");
    PyVMCode *code = code_of("f");
    _PyJit_Free(code);
    ck_assert_ptr_null(code->jit);
    ck_assert_int_eq(evaluate("f(9)"), 8);
    _PyVM_MarkNative(code);
    ck_assert_int_eq(code->code[0].op, OP_RESUME);
    ck_assert_int_eq(evaluate("f(9)"), 8);
}
END_TEST

C_TESTS(native_frames, .start = start)
{
    tcase_add_test(tests, test_calls_from_c_and_from_python_enter);
    tcase_add_test(tests, test_methods_of_operators_and_classes_enter);
    tcase_add_test(tests, test_generators_are_entered_behind_their_yield);
    tcase_add_test(tests, test_a_loop_is_entered_while_it_runs);
    tcase_add_test(tests, test_what_is_observed_does_not_enter);
    tcase_add_test(tests, test_what_goes_through_an_eval_hook_does_not_enter);
    tcase_add_loop_test(tests, test_frames_that_profilers_are_shown_enter, 0, 2);
    tcase_add_test(tests, test_a_shown_frame_that_enters_leaves_no_record);
    tcase_add_test(tests, test_a_deep_recursion_leaves_half_of_the_stack);
#ifdef CALLS_ARE_JUMPS
    tcase_add_test(tests, test_leaving_and_entering_again_takes_no_stack);
#endif
    tcase_add_test(tests, test_code_looks_as_if_it_had_not_run);
    tcase_add_test(tests, test_code_that_loses_its_machine_code_goes_on);
}
