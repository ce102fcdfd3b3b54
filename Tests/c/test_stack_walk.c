/* What stack walkers find while Python functions run with -X perf: every one of
   them, in order, by the name that the perf map has for the address. One walker
   follows frame records, as perf does with -g; the other is libgcc's unwinder, which
   goes by call frame information. (test_frame_records compares with what the VM
   knows, more deeply.) */
#include "suite.h"
#include "internal/perf.h"

#include <execinfo.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef SB_HAVE_LANDINGS

static void
append_address(PyObject *list, uintptr_t address)
{
    PyObject *item = PyLong_FromUnsignedLongLong(address);
    ck_assert_ptr_nonnull(item);
    ck_assert_int_eq(PyList_Append(list, item), 0);
    Py_DECREF(item);
}

#ifndef SB_NO_FRAME_POINTERS

/* The end of the running thread's stack. */
static uintptr_t
stack_end(void)
{
    pthread_attr_t attr;
    void *start;
    size_t size;
    ck_assert_int_eq(pthread_getattr_np(pthread_self(), &attr), 0);
    ck_assert_int_eq(pthread_attr_getstack(&attr, &start, &size), 0);
    pthread_attr_destroy(&attr);
    return (uintptr_t)start + size;
}

/* The return addresses of the frame records, innermost first. A record lies above
   the one before it: beyond Python's frames the register may hold anything. */
static PyObject *
follow_records(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    PyObject *list = PyList_New(0);
    uintptr_t end = stack_end(), last = 0;
    uintptr_t record = (uintptr_t)__builtin_frame_address(0);
    while (record > last && record % sizeof(record) == 0
           && record <= end - 2 * sizeof(record)) {
        append_address(list, ((uintptr_t *)record)[1]);
        last = record;
        record = *(uintptr_t *)record;
    }
    return list;
}

#endif

static PyObject *
unwind(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(ignored))
{
    void *addresses[1000];
    PyObject *list = PyList_New(0);
    int n = backtrace(addresses, Py_ARRAY_LENGTH(addresses));
    for (int i = 0; i < n; i++) {
        append_address(list, (uintptr_t)addresses[i]);
    }
    return list;
}

/* Without frame pointers in C code there is no chain of records through it. */
static PyMethodDef walkers[] = {
#ifndef SB_NO_FRAME_POINTERS
    {"follow_records", follow_records, METH_NOARGS, NULL},
#endif
    {"unwind", unwind, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

/* check() compares the Python functions that each walker finds with those that
   sys._getframe() tells. An address and the one before it belong to one function:
   unwinders look up either. */
static const char support[] =
    "import functools, os, sys, threading\n"
    "failed = []\n"
    "walkers = [globals()[n] for n in ('follow_records', 'unwind') if n in globals()]\n"
    "sys.unraisablehook = threading.excepthook = failed.append\n"
    "def named(addresses):\n"
    "    with open(f'/tmp/perf-{os.getpid()}.map') as f:\n"
    "        entries = [line.rstrip('\\n').split(' ', 2) for line in f]\n"
    "    entries = [(int(a, 16), int(n, 16), name) for a, n, name in entries]\n"
    "    for address in addresses:\n"
    "        at, before = ([name for start, size, name in entries\n"
    "                       if start <= a < start + size] for a in (address, address - 1))\n"
    "        assert at == before and len(at) < 2, (hex(address), at, before)\n"
    "        yield from at\n"
    "def check():\n"
    "    frame, told = sys._getframe(), []\n"
    "    while frame is not None:\n"
    "        told.append(f'py::{frame.f_code.co_qualname}:{frame.f_code.co_filename}')\n"
    "        frame = frame.f_back\n"
    "    for walk in walkers:\n"
    "        found = list(named(walk()))\n"
    "        assert found == told, '\\n'.join([walk.__name__, 'found', *found, 'not', *told])\n"
    "    return 1\n";

static PyObject *globals;

static void
run(const char *code)
{
    PyObject *result = PyRun_String(code, Py_file_input, globals, globals);
    if (result == NULL) {
        PyErr_Print();
    }
    ck_assert_msg(result != NULL, "failed: %s", code);
    Py_DECREF(result);
}

static void
start(void)
{
    Py_Initialize();
    globals = PyDict_New();
    PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
    for (PyMethodDef *def = walkers; def->ml_name != NULL; def++) {
        PyObject *function = PyCFunction_New(def, NULL);
        ck_assert_int_eq(PyDict_SetItemString(globals, def->ml_name, function), 0);
        Py_DECREF(function);
    }
    run(support);
    run("sys.activate_stack_trampoline('perf')\n");
}

static void
stop(void)
{
    char path[64];
    run("sys.deactivate_stack_trampoline()\n");
    Py_CLEAR(globals);
    snprintf(path, sizeof(path), "/tmp/perf-%ld.map", (long)getpid());
    unlink(path);
}

/* One test per way in which a Python function comes to run. */
static const struct {
    const char *what, *code;
} ways[] = {
    {"calls and recursion",
     "def down(n): return down(n - 1) if n else check()\n"
     "down(0); down(1); down(50)\n"},
    {"calls back from C",
     "class Key:\n"
     "    def __init__(self, v): self.v = v\n"
     "    def __lt__(self, other): return check()\n"
     "    def __del__(self): check()\n"
     "def add(a, b): return check()\n"
     "def by_sorted(): return sorted([3, 1, 2], key=Key)\n"
     "def by_reduce(): return functools.reduce(add, [1, 2, 3])\n"
     "by_sorted(); by_reduce()\n"},
    {"generators and coroutines",
     "def leaf():\n"
     "    yield check()\n"
     "    yield check()\n"
     "def delegate(): yield from leaf()\n"
     "async def last(): return check()\n"
     "async def first(): return await last()\n"
     "def drive():\n"
     "    for x in delegate(): pass\n"
     "    try: first().send(None)\n"
     "    except StopIteration: pass\n"
     "drive()\n"},
    {"class bodies, comprehension and exec",
     "class Meta(type):\n"
     "    def __new__(m, *args): check(); return type.__new__(m, *args)\n"
     "class C(metaclass=Meta):\n"
     "    x = [check() for i in range(2)]\n"
     "exec('check()')\n"},
    {"exceptions",
     "def fails(): raise KeyError\n"
     "def handles():\n"
     "    try: fails()\n"
     "    except KeyError: check()\n"
     "    finally: check()\n"
     "handles(); check()\n"},
    {"threads",
     "def inside(): check()\n"
     "threads = [threading.Thread(target=inside) for i in range(4)]\n"
     "for t in threads: t.start()\n"
     "for t in threads: t.join()\n"},
    {"a forked child",
     "def inherited(): check()\n"
     "inherited()\n"
     "pid = os.fork()\n"
     "if pid == 0:\n"
     "    status = 1\n"
     "    try:\n"
     "        def new(): inherited()\n"
     "        new()\n"
     "        status = 0\n"
     "    except BaseException as e: print(e)\n"
     "    finally: os._exit(status)\n"
     "assert os.waitpid(pid, 0)[1] == 0\n"
     "os.unlink(f'/tmp/perf-{pid}.map')\n"},
};

START_TEST(test_records_name_every_function_that_runs)
{
    printf("%s\n", ways[_i].what);
    run(ways[_i].code);
    run("assert not failed, failed[0].exc_value\n");
}
END_TEST

START_TEST(test_a_second_activation_names_functions_known_before)
{
    run("def again(): check()\nagain()\n");
    run("sys.deactivate_stack_trampoline()\n");
    run("sys.activate_stack_trampoline('perf')\n");
    run("again()\n");
}
END_TEST

#endif

C_TESTS(stack_walk, .start = CTests_StartNothing)
{
#ifdef SB_HAVE_LANDINGS
    tcase_add_unchecked_fixture(tests, start, stop);
    tcase_add_loop_test(tests, test_records_name_every_function_that_runs, 0,
                        (int)Py_ARRAY_LENGTH(ways));
    tcase_add_test(tests, test_a_second_activation_names_functions_known_before);
#endif
}
