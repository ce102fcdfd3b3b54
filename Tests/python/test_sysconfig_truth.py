"""sysconfig describes this build, and extension modules can be built from what it says."""
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import textwrap
import unittest

var = sysconfig.get_config_var
CLEAN = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}


def run(*command, **kwargs):
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, env=CLEAN,
                            **kwargs)
    if result.returncode != 0:
        raise AssertionError(f"{command} exits with {result.returncode}:\n"
                             f"{result.stdout}{result.stderr}")
    return result.stdout


class SysconfigTest(unittest.TestCase):
    def test_command_prints_configuration(self):
        out = run(sys.executable, "-m", "sysconfig")
        for name in ("CC", "CFLAGS", "CONFIG_ARGS", "INCLUDEPY", "prefix", "EXT_SUFFIX"):
            self.assertRegex(out, rf'(?m)^\t{name} = "')
        omit = "omit" if "--without-frame-pointers" in var("CONFIG_ARGS") else "no-omit"
        self.assertRegex(out, rf'(?m)^\tPY_CORE_CFLAGS = ".*-f{omit}-frame-pointer')
        if os.uname().machine in ("x86_64", "aarch64"):
            self.assertRegex(out, r'HAVE_PERF_TRAMPOLINE = "1"')
            self.assertRegex(out, rf'(?m)^\tCFLAGS = ".*-m{omit}-leaf-frame-pointer')

    def test_paths_exist(self):
        for name in ("INCLUDEPY", "CONFINCLUDEPY", "LIBPL", "LIBDEST"):
            self.assertTrue(os.path.isdir(var(name)), f"{name}: {var(name)}")
        self.assertEqual(sysconfig.get_path("include"), var("INCLUDEPY"))
        self.assertEqual(sysconfig.get_path("stdlib"), os.path.dirname(os.__file__))

    def test_makefile_is_ours_and_parses(self):
        name = sysconfig.get_makefile_filename()
        parsed = sysconfig._parse_makefile(name)
        self.assertEqual(parsed["EXT_SUFFIX"], var("EXT_SUFFIX"))
        self.assertEqual(parsed["CFLAGS"], var("CFLAGS"))

    def test_config_h_is_ours_and_parses(self):
        name = sysconfig.get_config_h_filename()
        self.assertEqual(os.path.dirname(name), var("CONFINCLUDEPY"))
        if not os.path.exists(name) or name.startswith("/usr/include/python3.11/"):
            self.skipTest("this build has no pyconfig.h of its own")
        with open(name) as f:
            self.assertEqual(sysconfig.parse_config_h(f)["SIZEOF_VOID_P"], 8)

    def test_suffixes_are_importable(self):
        import _imp
        suffixes = _imp.extension_suffixes()
        self.assertEqual(suffixes[0], var("EXT_SUFFIX"))
        self.assertEqual(var("EXT_SUFFIX"), f".{var('SOABI')}.so")
        self.assertIn("springboard-311", var("SOABI"))
        self.assertIn(f".cpython-311-{var('MULTIARCH')}.so", suffixes)

    def test_debug_and_shared_are_told_as_numbers(self):
        self.assertIn(var("Py_ENABLE_SHARED"), (0, 1))
        self.assertEqual(bool(var("Py_DEBUG")), "--enable-debug" in var("CONFIG_ARGS"))
        self.assertEqual(var("LDLIBRARY"), "libpython3.11.so" if var("Py_ENABLE_SHARED")
                         else "libpython3.11.a")

    def test_vars_have_no_unexpanded_references(self):
        for name, value in sysconfig.get_config_vars().items():
            if isinstance(value, str):
                self.assertNotRegex(value, r"\$[({]|%PREFIX%|@\w+@", name)


EXTENSION = r"""
#define PY_SSIZE_T_CLEAN
#include <Python.h>

static PyObject *
twice(PyObject *module, PyObject *arg)
{
    return PyNumber_Add(arg, arg);
}

static PyMethodDef methods[] = {{"twice", twice, METH_O, NULL}, {NULL}};
static struct PyModuleDef def = {PyModuleDef_HEAD_INIT, "doubling", NULL, 0, methods};

PyMODINIT_FUNC
PyInit_doubling(void)
{
    return PyModule_Create(&def);
}
"""


@unittest.skipUnless(os.path.exists(os.path.join(var("INCLUDEPY"), "Python.h")),
                     f"no Python.h in {var('INCLUDEPY')}")
class ExtensionTest(unittest.TestCase):
    def build(self, setup, directory):
        with open(os.path.join(directory, "doubling.c"), "w") as f:
            f.write(EXTENSION)
        with open(os.path.join(directory, "setup.py"), "w") as f:
            f.write(textwrap.dedent(setup))
        out = run(sys.executable, "-W", "ignore", "setup.py", "-v", "build_ext", "-i",
                  cwd=directory)
        self.assertTrue(os.path.exists(os.path.join(directory, "doubling" + var("EXT_SUFFIX"))),
                        f"{os.listdir(directory)}\n{out}")
        seen = run(sys.executable, "-c",
                   "import doubling; print(doubling.twice('ab'), doubling.twice(2**70))",
                   cwd=directory)
        self.assertEqual(seen.split(), ["abab", str(2**71)])
        return out

    def test_setuptools_builds_an_extension(self):
        with tempfile.TemporaryDirectory() as directory:
            try:
                import setuptools
            except ImportError:
                self.skipTest("python3-setuptools is not installed")
            out = self.build("""
                from setuptools import setup, Extension
                setup(name="doubling", version="1", ext_modules=[Extension("doubling", ["doubling.c"])])
            """, directory)
            self.assertIn(f"-I{var('INCLUDEPY')}", out)

    def test_distutils_builds_an_extension(self):
        with tempfile.TemporaryDirectory() as directory:
            self.build("""
                import os
                os.environ["SETUPTOOLS_USE_DISTUTILS"] = "stdlib"
                from distutils.core import setup, Extension
                setup(name="doubling", version="1", ext_modules=[Extension("doubling", ["doubling.c"])])
            """, directory)


if __name__ == "__main__":
    unittest.main()
