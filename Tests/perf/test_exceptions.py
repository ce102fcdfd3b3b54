"""C++ exceptions on their way through Python functions."""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

from support import run

SOURCE = """
#include <Python.h>
#include <stdexcept>
#include <cstdio>
#include <unistd.h>

static PyObject *
do_throw(PyObject *, PyObject *)
{
    throw std::runtime_error("through Python");
}

/* The interpreter's state is not put right: the process ends here. */
static PyObject *
do_catch(PyObject *, PyObject *function)
{
    try {
        return PyObject_CallNoArgs(function);
    }
    catch (const std::exception &e) {
        printf("caught %s\\n", e.what());
        fflush(stdout);
        _exit(0);
    }
}

/* More values in registers than the processor saves for its caller; the frame pointer is
   one of the registers. The sum of all after the call, and whether it threw. */
#define KEEP asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f))
static PyObject *
do_keep(PyObject *, PyObject *function)
{
    long a = 0x10001, b = 0x20003, c = 0x40005, d = 0x80007, e = 0x100009, f = 0x20000b;
    const char *outcome = "returned";
    KEEP;
    try {
        PyObject *result = PyObject_CallNoArgs(function);
        if (result == nullptr) {
            return nullptr;
        }
        Py_DECREF(result);
    }
    catch (const std::exception &) {
        outcome = "caught";
    }
    KEEP;
    printf("%s %lx\\n", outcome, a + b + c + d + e + f);
    fflush(stdout);
    if (outcome[0] == 'c') {
        _exit(0);
    }
    Py_RETURN_NONE;
}

static PyMethodDef methods[] = {
    {"do_keep", do_keep, METH_O, nullptr},
    {"do_throw", do_throw, METH_NOARGS, nullptr},
    {"do_catch", do_catch, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "thrower", nullptr, -1, methods};
PyMODINIT_FUNC PyInit_thrower(void) { return PyModule_Create(&module); }
"""
INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Include")


class Exceptions(unittest.TestCase):
    def setUp(self):
        if shutil.which("g++") is None:
            self.skipTest("g++ is not installed")
        if "SPRINGBOARD_EMULATOR" in os.environ:
            self.skipTest("g++ makes code for the emulator's machine")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        source = os.path.join(self.folder, "thrower.cpp")
        with open(source, "w") as f:
            f.write(SOURCE)
        done = subprocess.run(
            ["g++", "-O2", "-fomit-frame-pointer", "-shared", "-fPIC", "-I", INCLUDE,
             "-I/usr/include/python3.11", "-o", os.path.join(self.folder, "thrower.so"),
             source], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def output(self, code, option):
        status, out, err, _ = run(f"""if 1:
            import os, sys
            sys.path.insert(0, {self.folder!r})
            import thrower
            def deep(n):
                if n: return deep(n - 1)
                return sorted([1], key=lambda v: thrower.do_throw())
            try: os.unlink(f'/tmp/jit-{{os.getpid()}}.dump')
            except OSError: pass
            def nest(n, function): return nest(n - 1, function) if n else function()
            {code}""", "-X", option)
        self.assertEqual((status, err), (0, ""), option)
        return out

    def test_pass_functions_that_are_shown(self):
        for option in "perf", "perf_lines", "perf_jit":
            self.assertEqual(self.output("thrower.do_catch(lambda: deep(50))", option),
                             "caught through Python\n", option)

    def test_who_has_no_frame_pointer_finds_its_registers_again(self):
        """The chain of frame pointers is made to lead through do_keep()."""
        for option in "perf=0", "perf", "perf_lines":
            for function in "lambda: 1", "lambda: thrower.do_keep(lambda: 1)":
                out = self.output(f"for i in range(3): nest(5, lambda: "
                                  f"thrower.do_keep({function}))", option)
                self.assertEqual(set(out.splitlines()), {"returned 3f0024"}, option)
            out = self.output("nest(5, lambda: thrower.do_keep(lambda: deep(50)))", option)
            self.assertEqual(out, "caught 3f0024\n", option)
            out = self.output("nest(5, lambda: thrower.do_keep(lambda: thrower.do_keep("
                              "lambda: deep(50))))", option)
            self.assertEqual(out, "caught 3f0024\n", option)


if __name__ == "__main__":
    unittest.main()
