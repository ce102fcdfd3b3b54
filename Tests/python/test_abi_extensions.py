"""Extensions compiled with our headers, as C and as C++, load and work here."""
import array
import asyncio
import datetime
import gc
import importlib.machinery
import importlib.util
import marshal
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import threading
import time
import traceback
import unittest
import weakref

SLOW = "compiles extension modules"


def setUpModule():
    if "SPRINGBOARD_EMULATOR" in os.environ:
        raise unittest.SkipTest("the compilers of the machine that emulates make code for itself")


here = os.path.dirname(os.path.abspath(__file__))
SOURCES = os.path.join(here, os.pardir, "abi", "extensions")
INCLUDE = [os.path.abspath(os.path.join(here, os.pardir, os.pardir, "Include")),
           os.path.dirname(sys.executable)]
CPPEXT = os.path.join(sysconfig.get_path("stdlib"), "test", "_testcppext.cpp")

KINDS = [("clang-19", "c11"), ("gcc", "c99"), ("clang++-19", "c++11"), ("g++", "c++17")]
WARNINGS = ["-Wall", "-Wextra", "-Werror", "-Wno-missing-field-initializers",
            "-Wno-unused-variable", "-Wno-cast-function-type"]


def compile_extension(test, compiler, standard, source, path, *flags, include=INCLUDE):
    """Without a warning."""
    command = [compiler, f"-std={standard}", "-O1", "-fPIC", "-shared", *WARNINGS, *flags,
               *(f"-I{directory}" for directory in include), "-x",
               "c++" if "++" in standard else "c", source, "-o", path]
    try:
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, timeout=120)
    except FileNotFoundError:
        test.skipTest(f"{compiler} is missing")
    test.assertEqual((done.returncode, done.stderr), (0, ""), " ".join(command))


def build(test, compiler, standard, source, name, *flags):
    """Compiles the file as module `name`, and imports it."""
    folder = tempfile.TemporaryDirectory()
    test.addCleanup(folder.cleanup)
    path = os.path.join(folder.name, f"{name}.so")
    compile_extension(test, compiler, standard, source, path, *flags)
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    spec = importlib.util.spec_from_loader(name, loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def place_of_error(function, argument):
    """(file, line, name) of the innermost entry of the traceback of an ArithmeticError."""
    try:
        function(argument)
    except ArithmeticError as e:
        *_, (frame, line) = traceback.walk_tb(e.__traceback__)
        return frame.f_code.co_filename, line, frame.f_code.co_name


class Point:
    def __init__(self):
        self.x = 1


class FullApi(unittest.TestCase):
    def check_static_type(self, full):
        class Child(full.Point):
            pass
        for kind in full.Point, Child:
            p = kind()
            p.x, p.y, p.anything = 3, 4.0, "in the dict"
            self.assertEqual((p.x, p.y, p.norm, p.inplace), (3, 4.0, 25.0, "place"))
            self.assertEqual(p.__dict__, {"anything": "in the dict"})
            with self.assertRaises(AttributeError):
                p.label
            p.label = [1]
            self.assertEqual(p.label, [1])
            p.norm = 2
            self.assertEqual(p.y, 2.0)
            with self.assertRaisesRegex(TypeError, "norm can't be deleted"):
                del p.norm
            self.assertIs(p.no_args(), p)
            self.assertEqual(p.one_arg(5), (5, 5))
            self.assertEqual(kind.static(5), (5, 5))
            self.assertEqual(p.fast(1, "two"), [1, "two"])
            self.assertEqual(p.keywords("aé", second=p), ("aé".encode(), 3, p))
            self.assertTrue(p == p and p < kind.__new__(kind) or p > kind())
        self.assertEqual(full.Point.no_args.__text_signature__, "($self, /)")

    def check_heap_type(self, full):
        b = full.Buffer()
        view = memoryview(b)
        self.assertEqual((view.shape, view.strides, view.format, b.exports),
                         ((2, 3), (6, 2), "h", 1))
        view[1, 2] = 77
        self.assertEqual(view.tolist(), [[0, 0, 0], [0, 0, 77]])
        view.release()
        self.assertEqual(b.exports, 0)
        self.assertIs(b.defining_class(), full.Buffer)
        alive = weakref.ref(b)
        b.partner = b
        del b, view
        gc.collect()
        self.assertIsNone(alive())
        chain = None
        for _ in range(100_000):        # freed by the trashcan, not by recursion
            link = full.Buffer()
            link.partner, chain = chain, link
        del chain, link

    def check_functions(self, full):
        self.assertEqual(full.Adder(5)(37), 42)
        with self.assertRaisesRegex(TypeError, "one argument, not 2"):
            full.Adder(5)(1, 2)
        for text in "plain", "na\xefve", "π×2", "😀x":
            kind = 1 if max(text) < "\u0100" else 2 if max(text) < "\U00010000" else 4
            self.assertEqual(full.characters(text), (text[::-1], kind, text.isascii()))
        with self.assertRaisesRegex(TypeError, "not a str: 5"):
            full.characters(5)
        moment = datetime.datetime(2026, 11, 20, 17, 5, 59, 123456, datetime.timezone.utc)
        self.assertEqual(full.date_parts(moment),
                         (datetime.timedelta(1, 2, 3), moment.date(), moment.time(),
                          datetime.timezone.utc))
        self.assertEqual(full.containers({"a": [1, 2], "b": (3,), "c": range(4)}), 12)
        with self.assertRaises(SystemError):
            full.containers([])
        line = sys._getframe().f_lineno + 1
        self.assertEqual(full.running_line(), ("check_functions", line))
        self.assertEqual(place_of_error(full.fail_in_line, 417), ("model.pyx", 417, "compute"))
        self.assertEqual(full.without_gil(), (True, True))
        self.assertEqual(marshal.loads(full.marshalled([1, "two", None])), [1, "two", None])
        before = full.gone()
        capsule = full.capsule()
        self.assertIn('"full.capsule"', repr(capsule))
        del capsule
        self.assertEqual(full.gone(), before + 1)
        self.assertEqual(full.Py_EQ, 2)

    def check_observation(self, full):
        def function():
            return [object() for _ in range(50)]

        self.assertEqual(full.code_extra(function.__code__), (False, 0))
        self.assertEqual(full.code_extra(function.__code__), (True, 1))
        self.assertEqual(full.code_extra(function.__code__), (True, 2))
        with self.assertRaises(SystemError):
            full.code_extra(function)

        gc.collect()            # or old garbage may be destroyed while counting
        self.assertEqual(full.count_instances(object, function), (50, 50, True))
        for kind, make in (list, lambda: [[x] for x in range(20)]), (Point, Point):
            made, destroyed, same = full.count_instances(kind, make)
            self.assertEqual((made, same), (destroyed, True), kind)
            self.assertGreater(made, 0, kind)

        CALL, LINE, RETURN = 0, 2, 3
        traced, profiled, go_on = set(), set(), True

        def step():
            pass

        def work():
            while go_on:
                step()
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            full.observe_all_threads(traced, profiled)
            deadline = time.monotonic() + 30
            while any(sum((thread.ident, "step", RETURN) in seen for thread in threads) < 3
                      for seen in (traced, profiled)):
                self.assertLess(time.monotonic(), deadline, "not every thread was traced")
                time.sleep(0.001)
        finally:
            full.observe_all_threads(None, None)
            go_on = False
            for thread in threads:
                thread.join()
        kinds = [{what for _, name, what in seen if name == "step"}
                 for seen in (traced, profiled)]
        traced.clear()
        step()
        self.assertEqual(traced, set(), "observed after the end")
        self.assertEqual(kinds, [{CALL, LINE, RETURN}, {CALL, RETURN}])

    def test_every_compiler_and_language(self):
        for compiler, standard in KINDS:
            with self.subTest(compiler=compiler, standard=standard):
                full = build(self, compiler, standard, os.path.join(SOURCES, "full.c"), "full")
                self.check_static_type(full)
                self.check_heap_type(full)
                self.check_functions(full)
                self.check_observation(full)

    @unittest.skipUnless(os.path.exists(CPPEXT), f"{CPPEXT} is missing")
    def test_cpython_s_own_module_in_c_plus_plus(self):
        for compiler, standard in KINDS[2:] + [("g++", "c++11")]:
            with self.subTest(compiler=compiler, standard=standard):
                name = "_testcpp11ext"
                build(self, compiler, standard, CPPEXT, name, f"-DNAME={name}")


CYTHON = """
# cython: linetrace=True, binding=True, profile=True
def numbers(n):
    for i in range(n):
        try:
            got = yield i
            if got:
                raise ValueError(got)
        except ValueError as e:
            yield str(e)

def divide(x):
    y = x + 1
    return 1 / (x - y + 1)

async def wait_for(x):
    return await x

cdef class Holder:
    cdef public int value
    def method(self, *args, k=2, **kwargs):
        return self.value, args, k, kwargs
"""


class GeneratedByCython(unittest.TestCase):
    @unittest.skipIf(shutil.which("cython3") is None, "cython3 is missing")
    def test_module_compiled_with_our_headers(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "generated.pyx")
        with open(path, "w") as f:
            f.write(CYTHON)
        subprocess.run(["cython3", "-3", path], check=True, capture_output=True, timeout=120)
        m = build(self, "clang-19", "c11", path[:-3] + "c", "generated", "-DCYTHON_TRACE=1", "-w")
        g = m.numbers(3)
        self.assertEqual([next(g), next(g), g.send("x"), *g], [0, 1, "x", 2])
        self.assertEqual(place_of_error(m.divide, 0)[1:], (14, "generated.divide"))
        self.assertEqual(asyncio.run(m.wait_for(asyncio.sleep(0, 5))), 5)
        holder = m.Holder()
        holder.value = 4
        self.assertEqual(holder.method(1, k=3, z=1), (4, (1,), 3, {"z": 1}))
        seen = []

        def trace(frame, event, arg):
            seen.append((event, frame.f_lineno))
            return trace
        sys.settrace(trace)
        try:
            holder.method()
        finally:
            sys.settrace(None)
        self.assertIn(("call", 21), seen)


CALLS_BACK = r"""
#include "Python.h"

static PyObject *
array(PyObject *self, PyObject *const *args, Py_ssize_t nargs)
{
    (void)self, (void)nargs;
    return PyObject_CallOneArg(args[0], args[1]);
}

static PyObject *
names(PyObject *self, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames)
{
    (void)kwnames;
    return array(self, args, nargs);
}

static PyMethodDef functions[] = {
    {"array", (PyCFunction)(void (*)(void))array, METH_FASTCALL, NULL},
    {"names", (PyCFunction)(void (*)(void))names, METH_FASTCALL | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL}
};
static PyType_Slot slots[] = {{Py_tp_methods, functions}, {0, NULL}};
static PyType_Spec spec = {"calls_back.Object", sizeof(PyObject), 0, Py_TPFLAGS_DEFAULT, slots};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "calls_back", NULL, -1, functions, NULL, NULL, NULL, NULL
};

PyMODINIT_FUNC
PyInit_calls_back(void)
{
    PyObject *module = PyModule_Create(&definition);
    PyModule_AddObject(module, "Object", PyType_FromSpec(&spec));
    return module;
}
"""


class RecursionThroughC(unittest.TestCase):
    def test_hot_calls_of_functions_that_take_an_array_do_not_count(self):
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "calls_back.c")
            with open(source, "w") as f:
                f.write(CALLS_BACK)
            module = build(self, "gcc", "c99", source, "calls_back")
        limit = sys.getrecursionlimit()
        self.addCleanup(sys.setrecursionlimit, limit)
        for call in ("array(f, n + 1)", "names(f, n + 1)", "names(f, n + 1, x=3)",
                     "module.array(f, n + 1)", "module.names(f, n + 1)", "object.array(f, n + 1)",
                     "object.names(f, n + 1)"):
            scope = {"module": module, "array": module.array, "names": module.names,
                     "object": module.Object()}
            exec(f"def f(n):\n    global deepest\n    deepest = n\n    return {call}", scope)
            with self.subTest(call):
                sys.setrecursionlimit(300)
                for _ in range(60):
                    self.assertRaises(RecursionError, scope["f"], 0)
                sys.setrecursionlimit(limit)
                self.assertGreater(scope["deepest"], 200)


class LimitedApi(unittest.TestCase):
    def test_every_version(self):
        for minor in range(2, 12):
            compiler, standard = KINDS[minor % len(KINDS)]
            with self.subTest(limited_api=minor, compiler=compiler, standard=standard):
                level = 0x03000000 + (minor << 16)
                limited = build(self, compiler, standard, os.path.join(SOURCES, "limited.c"),
                                "limited", f"-DPy_LIMITED_API={level:#x}")
                self.assertEqual(limited.level, level)
                holder = limited.Holder([1], 5)
                self.assertEqual((repr(holder), holder.held), ("<Holder 5>", [1]))
                with self.assertRaises(TypeError):
                    limited.Holder(5)
                self.assertEqual(limited.total(array.array("i", [1, 2, 3])), 6)
                with self.assertRaises(TypeError):
                    limited.total([1, None])
                self.assertIs(limited.nothing(()), True)


if __name__ == "__main__":
    unittest.main()
