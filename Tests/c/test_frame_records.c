/* The chain of frame pointers names every Python frame, and its line. It is compared,
   from inside the program and wherever the program calls the check, with the frames that
   the VM knows. In a build without frame pointers, C's unwinder, which goes by call frame
   information, must find the same frames. */
#include "suite.h"
#include "internal/frame.h"
#include "internal/perf.h"
#include "internal/pystate.h"
#include "internal/vm.h"
#include <execinfo.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST 4000

static PyObject *globals;
static int lines_shown, checks, deepest;

static int
is_landing(const char *address)
{
    const char *start = address - RECORD_LANDING_OFFSET;
    return ((uintptr_t)start & 7) == 0
           && memcmp(start, _PyPerf_template, PERF_LANDING_SIZE) == 0;
}

#ifdef SB_NO_FRAME_POINTERS

/* The landings on the stack, innermost first; their number. */
static int
walk(const char **landings)
{
    static _Thread_local void *addresses[MOST];
    int n = backtrace(addresses, MOST), found = 0;
    for (int i = 0; i < n; i++) {
        if (is_landing(addresses[i])) {
            landings[found++] = addresses[i];
        }
    }
    return found;
}

#else

/* The landings on the stack, innermost first; their number. The stack's bounds keep
   the walk from following what is no frame pointer. */
static int
walk(const char **landings)
{
    static _Thread_local void *low;
    static _Thread_local size_t size;
    if (size == 0) {
        pthread_attr_t attr;
        pthread_getattr_np(pthread_self(), &attr);      /* reads the process's map */
        pthread_attr_getstack(&attr, &low, &size);
        pthread_attr_destroy(&attr);
    }
    int n = 0;
    char **fp = __builtin_frame_address(0);
    while ((uintptr_t)fp - (uintptr_t)low < size - 16 && ((uintptr_t)fp & 15) == 0
           && n < MOST) {
        if (fp[1] != NULL && (uintptr_t)fp[1] > 4096 && is_landing(fp[1])) {
            landings[n++] = fp[1];
        }
        if (*fp <= (char *)fp) {
            break;              /* libc has no frame pointers */
        }
        fp = (char **)*fp;
    }
    return n;
}

#endif

/* The landing that a frame should have. */
static const char *
landing_of(PyVMFrame *f)
{
    char *landing = (char *)((uintptr_t)f->code->landing & ~SHOWN_MODE_MASK);
    if (!lines_shown) {
        return landing + RECORD_LANDING_OFFSET;
    }
    const _PyCodeLines *lines = (const _PyCodeLines *)landing;
    return *(const char **)((char *)f->ip + lines->distance);
}

static const char *
name_of(PyVMFrame *f)
{
    return PyUnicode_AsUTF8(f->code->ob.co_qualname);
}

/* check(): a string that says what is wrong, or None. */
static PyObject *
check(PyObject *self, PyObject *arg)
{
    (void)self;
    (void)arg;
    static const char *landings[MOST];
    int n = walk(landings), i = 0;
    for (PyVMFrame *f = _PyThreadState_CurrentFrame(PyThreadState_Get()); f != NULL;
         f = f->previous, i++) {
        if (i == n) {
            return PyUnicode_FromFormat("%d records, and %s has none", n, name_of(f));
        }
        const char *expected = landing_of(f);
        if (landings[i] != expected) {
            return PyUnicode_FromFormat("frame %d of %d, %s line %d: off by %zd", i, n,
                                        name_of(f), _PyFrame_LineOf(f),
                                        (Py_ssize_t)(landings[i] - expected));
        }
    }
    if (i != n) {
        return PyUnicode_FromFormat("%d frames, %d records", i, n);
    }
    checks++;
    deepest = Py_MAX(deepest, n);
    Py_RETURN_NONE;
}

/* The names on the stack, as C's unwinder finds them: how many landings. */
static PyObject *
unwound(PyObject *self, PyObject *arg)
{
    (void)self;
    (void)arg;
    static void *addresses[MOST];
    int n = backtrace(addresses, MOST), found = 0;
    for (int i = 0; i < n; i++) {
        found += is_landing(addresses[i]);
    }
    return PyLong_FromLong(found);
}

/* How many landings a walk finds. */
static PyObject *
records(PyObject *self, PyObject *arg)
{
    (void)self;
    (void)arg;
    static const char *landings[MOST];
    return PyLong_FromLong(walk(landings));
}

static PyMethodDef records_def = {"records", records, METH_NOARGS, NULL};
static PyMethodDef check_def = {"check", check, METH_NOARGS, NULL};
static PyMethodDef unwound_def = {"unwound", unwound, METH_NOARGS, NULL};

static void
add_function(const char *name, PyMethodDef *def)
{
    PyObject *function = PyCFunction_New(def, NULL);
    PyDict_SetItemString(globals, name, function);
    Py_DECREF(function);
}

static void
start(void)
{
    setenv("SPRINGBOARD_JIT", "off", 1);        /* machine code has no records */
    Py_Initialize();
    globals = PyDict_New();
    PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
    add_function("report", &check_def);
    add_function("unwound", &unwound_def);
    add_function("records", &records_def);
    checks = deepest = 0;
}

static void
stop(void)
{
    Py_CLEAR(globals);
}

static void
run(const char *statements)
{
    PyObject *r = PyRun_String(statements, Py_file_input, globals, globals);
    if (r == NULL) {
        PyErr_Print();
    }
    ck_assert_ptr_nonnull(r);
    Py_DECREF(r);
}

static const char support[] =
    "import sys\n"
    "def check(value=None):\n"
    "    wrong = report()\n"
    "    if wrong is not None:\n"
    "        raise SystemError(wrong)\n"
    "    return value\n";

/* Runs a program twice (the second time it is specialised) while frames are shown;
   it must have checked at least `least` times, and this deep. */
static void
run_shown(const char *statements, int lines, int least, int deep)
{
    size_t size = strlen(support) + strlen(statements) + 100;
    char *text = malloc(size);
    snprintf(text, size, "import sys\nsys.activate_stack_trampoline('perf', lines=%d)\n",
             lines);
    lines_shown = lines;
    run(text);
    snprintf(text, size, "%s%s", support, statements);
    run(text);
    run(text);
    run("import sys\nsys.deactivate_stack_trampoline()\n");
    free(text);
    ck_assert_int_ge(checks, least);
    ck_assert_int_ge(deepest, deep);
}

/* What programs do, each with the least number of checks and depth. */
static const struct {
    const char *text;
    int least, deep;
} programs[] = {
    {"def down(n):\n"
     "    check()\n"
     "    if n:\n"
     "        down(n -\n"
     "             1)\n"
     "        check()\n"
     "    return check(n)\n"
     "down(150)\n"
     "for i in range(35): down(i)\n", 1000, 150},
    {"def gen(n):\n"
     "    for i in range(n):\n"
     "        check()\n"
     "        got = yield check(i)\n"
     "        check(got)\n"
     "def outer(n):\n"
     "    check()\n"
     "    result = yield from gen(n)\n"
     "    check()\n"
     "for i in range(40):\n"
     "    for x in outer(3): check(x)\n"
     "    check()\n"
     "g = gen(3)\n"
     "next(g)\n"
     "g.send(2)\n"
     "check()\n"
     "g.close()\n"
     "def catching():\n"
     "    try:\n"
     "        yield 1\n"
     "    except KeyError:\n"
     "        check()\n"
     "        yield 2\n"
     "    finally:\n"
     "        check()\n"
     "g = catching()\n"
     "next(g)\n"
     "g.throw(KeyError)\n"
     "check()\n"
     "g.close()\n"
     "def nest(n):\n"
     "    if n: yield from nest(n - 1)\n"
     "    yield check(n)\n"
     "def deep(n):\n"
     "    return deep(n - 1) if n else list(nest(5)) + [x for x in nest(40)]\n"
     "for i in range(20, 34): deep(i)\n", 500, 60},
    {"async def leaf(n):\n"
     "    check()\n"
     "    return n\n"
     "async def agen(n):\n"
     "    for i in range(n):\n"
     "        yield await leaf(i)\n"
     "class Context:\n"
     "    async def __aenter__(self): return check(self)\n"
     "    async def __aexit__(self, *args):\n"
     "        check()\n"
     "        return True\n"
     "async def main(n):\n"
     "    async with Context():\n"
     "        async for x in agen(n): check(x)\n"
     "        [await leaf(y) async for y in agen(2)]\n"
     "        check()\n"
     "        raise KeyError\n"
     "    return await main(n - 1) if n else check(3)\n"
     "try:\n"
     "    main(20).send(None)\n"
     "except StopIteration as e:\n"
     "    assert e.value == 3\n", 200, 15},
    {"def fail(n):\n"
     "    try:\n"
     "        if n == 0:\n"
     "            check()\n"
     "            raise KeyError\n"
     "        fail(n - 1)\n"
     "    finally:\n"
     "        check()\n"
     "def through(n):\n"
     "    if n == 0: raise ValueError\n"
     "    through(n - 1)\n"
     "def expect(n):\n"
     "    try:\n"
     "        through(n)\n"
     "    except ValueError:\n"
     "        check()\n"
     "    check()\n"
     "for n in 0, 1, 5, 29, 30, 31, 32, 60, 100:\n"
     "    try:\n"
     "        fail(n)\n"
     "    except KeyError:\n"
     "        check()\n"
     "    expect(n)\n"
     "check()\n", 200, 100},
    {"import functools\n"
     "class Meta(type):\n"
     "    def __new__(m, *args):\n"
     "        check()\n"
     "        return super().__new__(m, *args)\n"
     "    def __call__(cls, *args):\n"
     "        check()\n"
     "        return super().__call__(*args)\n"
     "class A(metaclass=Meta):\n"
     "    def __init__(self, n): self.n = check(n)\n"
     "    def __del__(self): check()\n"
     "    @property\n"
     "    def p(self): return check(self.n)\n"
     "    def __getitem__(self, i): return check(i)\n"
     "    def __getattr__(self, name): return check(name)\n"
     "    def __add__(self, other): return check(other)\n"
     "    def __iter__(self): return iter([check(1), 2])\n"
     "    def __enter__(self): return check(self)\n"
     "    def __exit__(self, *a): check()\n"
     "class B:\n"
     "    def __init__(self): check()\n"
     "    def __eq__(self, other): return check(True)\n"
     "    def __hash__(self): return check(1)\n"
     "def work():\n"
     "    a = A(1)\n"
     "    for i in range(3):\n"
     "        assert a.p == 1 and a[2] == 2 and a.nosuch == 'nosuch' and a + 4 == 4\n"
     "        B(); {B(): 1}[B()]\n"
     "    x, y = a\n"
     "    with a: check()\n"
     "    sorted(range(5), key=lambda v: check(-v))\n"
     "    functools.reduce(lambda v, w: check(v + w), range(5))\n"
     "    list(map(check, [1,\n"
     "                     2]))\n"
     "    {check(k): check(v) for k, v in {1: 2, 3: 4}.items()}\n"
     "    [check(i) for i in range(3) if check(i)]\n"
     "    a = None\n"
     "    check(*[1], **{})\n"
     "    check(value=(\n"
     "        check(\n"
     "            2)))\n"
     "def dying():\n"
     "    local = A(2)\n"
     "    return check(3)\n"
     "def deep(n): return deep(n - 1) if n else (work(), dying())\n"
     "for i in range(34): deep(i)\n"
     "exec('check()\\ncheck()')\n"
     "eval('check()')\n", 1000, 33},
    {"import sys\n"
     "def tracer(frame, event, arg):\n"
     "    return tracer\n"
     "def inner():\n"
     "    for i in range(2):\n"
     "        yield check(i)\n"
     "def traced(n):\n"
     "    total = 0\n"
     "    for i in inner():\n"
     "        total += check(\n"
     "            i)\n"
     "    if n: traced(n - 1)\n"
     "    return check()\n"
     "for how in sys.settrace, sys.setprofile:\n"
     "    how(tracer)\n"
     "    traced(40)\n"
     "    how(None)\n"
     "    check()\n", 100, 40},
    {"import threading\n"
     "def down(n): return check(n) if n == 0 else down(n - 1)\n"
     "wrong = []\n"
     "def work():\n"
     "    try:\n"
     "        for i in range(100): down(i)\n"
     "    except BaseException as e: wrong.append(e)\n"
     "threads = [threading.Thread(target=work) for i in range(3)]\n"
     "for t in threads: t.start()\n"
     "for t in threads: t.join()\n"
     "assert not wrong, wrong\n", 600, 100},
};

START_TEST(test_every_frame_has_its_record_in_order)
{
    run_shown(programs[_i].text, 0, programs[_i].least, programs[_i].deep);
}
END_TEST

START_TEST(test_every_record_tells_its_line)
{
    run_shown(programs[_i].text, 1, programs[_i].least, programs[_i].deep);
}
END_TEST

START_TEST(test_activation_and_deactivation_in_the_middle)
{
    /* From activation on all frames that run are shown, those too that ran before (the module, and
       who has called the switch); from deactivation on, none. */
    run("import sys\n"
        "def down(n, f): return f() if n == 0 else down(n - 1, f)\n"
        "def on(lines=False): sys.activate_stack_trampoline('perf', lines=lines)\n"
        "off = sys.deactivate_stack_trampoline\n"
        "def switch():\n"
        "    on()\n"
        "    one = down(40, records)\n"
        "    off()\n"
        "    assert records() == 0, records()\n"
        "    on()\n"
        "    two = down(3, records)\n"
        "    off()\n"
        "    assert records() == 0, records()\n"
        "    return one, two\n"
        "assert switch() == (41 + 2, 4 + 2), switch()\n"
        "def again(): return switch()\n"
        "on()\n"
        "assert down(30, again) == (31 + 3 + 41, 31 + 3 + 4)\n"
        "assert records() == 0\n"
        "for lines in 0, 1, 0, 1, 1:\n"
        "    on(lines)\n"
        "    assert down(35, records) == 36 + 1\n"
        "    off()\n"
        "assert down(35, records) == 0\n"
        "def toggling(n):\n"
        "    for i in range(n):\n"
        "        on(i % 2)\n"
        "        yield records()\n"
        "        off()\n"
        "        yield records()\n"
        "assert down(40, lambda: list(toggling(4))) == [41 + 3, 0] * 4\n"
        "on()\n"
        "def fails(n):\n"
        "    try: down(n, switch)\n"
        "    finally: 1 / 0\n"
        "try: fails(40)\n"
        "except ZeroDivisionError: pass\n"
        "assert records() == 0\n");
}
END_TEST

START_TEST(test_unwinders_of_the_process_pass)
{
    run("import sys\n"
        "def down(n): return unwound() if n == 0 else down(n - 1)\n"
        "sys.activate_stack_trampoline('perf')\n"
        "for n in 3, 100:\n"
        "    found = down(n)\n"
        "    assert found == n + 2, found\n"
        "found = []\n"
        "sorted([5], key=lambda n: found.append(down(n)))\n"
        "assert found == [8], found\n"
        "sys.deactivate_stack_trampoline()\n");
}
END_TEST

C_TESTS(frame_records, .start = CTests_StartNothing, .in_processes = 1)
{
    tcase_add_checked_fixture(tests, start, stop);
    int n = (int)(sizeof(programs) / sizeof(programs[0]));
    tcase_add_loop_test(tests, test_every_frame_has_its_record_in_order, 0, n);
    tcase_add_loop_test(tests, test_every_record_tells_its_line, 0, n);
    tcase_add_test(tests, test_activation_and_deactivation_in_the_middle);
    tcase_add_test(tests, test_unwinders_of_the_process_pass);
}
