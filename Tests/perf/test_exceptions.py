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

static PyMethodDef methods[] = {
    {"do_throw", do_throw, METH_NOARGS, nullptr},
    {"do_catch", do_catch, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "thrower", nullptr, -1, methods};
PyMODINIT_FUNC PyInit_thrower(void) { return PyModule_Create(&module); }
"""
INCLUDE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Include")


class Exceptions(unittest.TestCase):
    def test_pass_functions_that_are_shown(self):
        if shutil.which("g++") is None:
            self.skipTest("g++ is not installed")
        if "SPRINGBOARD_EMULATOR" in os.environ:
            self.skipTest("g++ makes code for the emulator's machine")
        with tempfile.TemporaryDirectory() as folder:
            source = os.path.join(folder, "thrower.cpp")
            with open(source, "w") as f:
                f.write(SOURCE)
            done = subprocess.run(
                ["g++", "-shared", "-fPIC", "-I", INCLUDE, "-I/usr/include/python3.11",
                 "-o", os.path.join(folder, "thrower.so"), source],
                capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            for option in "perf", "perf_lines", "perf_jit":
                status, out, err, _ = run(f"""if 1:
                    import os, sys
                    sys.path.insert(0, {folder!r})
                    import thrower
                    def deep(n):
                        if n: return deep(n - 1)
                        return sorted([1], key=lambda v: thrower.do_throw())
                    try: os.unlink(f'/tmp/jit-{{os.getpid()}}.dump')
                    except OSError: pass
                    thrower.do_catch(lambda: deep(50))
                    """, "-X", option)
                self.assertEqual((status, out, err), (0, "caught through Python\n", ""),
                                 option)


if __name__ == "__main__":
    unittest.main()
